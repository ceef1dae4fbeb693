"""An agent's side of MCP: one query, two chats and none."""

import asyncio
import sys

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "rewriter", "mcp"])


async def main() -> None:
    async with Client(SERVER) as client:
        for chat in (["poster dengan model gambar AI"], ["mau bikin kue pisang"], []):
            result = await client.call_tool("rewrite_query", {"query": "harga nano banana", "context": chat})
            plan = result.structured_content or {}
            print(plan["clarification"]["question"] if plan["clarification"] else plan["variants"][1]["text"])


asyncio.run(main())
# harga nano banana model gambar Gemini
# harga pisang kecil
# Maksudnya pisang ukuran kecil, atau model AI pembuat dan penyunting gambar dari Google?
