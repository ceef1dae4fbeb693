"""LlamaIndex: a retriever around a retriever; here a small one in memory."""

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from rewriter.integrations.llama_index import RewritingRetriever

NODES = [TextNode(text="harga iphone 16 di Indonesia"), TextNode(text="resep rendang padang")]


class WordRetriever(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        words = set(query_bundle.query_str.lower().split())
        return [NodeWithScore(node=node, score=1.0) for node in NODES if words & set(node.text.lower().split())]


retriever = RewritingRetriever(WordRetriever(), context=[ChatMessage("spesifikasi iphone 16")])
print([node.text for node in WordRetriever().retrieve("berapaan")], [node.text for node in retriever.retrieve("harganya berapa")])
# [] ['harga iphone 16 di Indonesia']
