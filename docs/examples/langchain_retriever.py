"""LangChain: any retriever, searched in all variants; here a small one in memory."""

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from rewriter.integrations.langchain import RewritingRetriever

PAGES = {"https://a.id/gemini": "harga model gambar Gemini", "https://b.id/resep": "resep rendang padang"}


def search(query: str) -> list[Document]:
    words = set(query.lower().split())
    return [Document(text, metadata={"source": url}) for url, text in PAGES.items() if len(words & set(text.lower().split())) > 2]


retriever = RewritingRetriever(retriever=RunnableLambda(search), on_clarification="return")
for document in retriever.invoke("harga nano banana", context=[("human", "poster dengan model gambar AI")]):
    print(document.metadata["source"], [source["variant"] for source in document.metadata["rewriter"]["sources"]])
print(retriever.invoke("harga nano banana")[0].page_content)
# https://a.id/gemini ['Berapa harga model gambar Gemini?', 'harga nano banana model gambar Gemini']
# Maksudnya pisang ukuran kecil, atau model AI pembuat dan penyunting gambar dari Google?
