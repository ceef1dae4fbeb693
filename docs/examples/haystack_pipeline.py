"""Haystack: in the place of QueryExpander, without a model."""

from haystack import Document, Pipeline
from haystack.components.retrievers import InMemoryBM25Retriever
from haystack.components.retrievers.multi_query_text_retriever import MultiQueryTextRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from rewriter.integrations.haystack import QueryRewriter

store = InMemoryDocumentStore()
store.write_documents([Document(content="How to delete your account"), Document(content="Resep rendang padang")])

pipeline = Pipeline()
pipeline.add_component("expander", QueryRewriter())
pipeline.add_component("retriever", MultiQueryTextRetriever(retriever=InMemoryBM25Retriever(store, top_k=1)))
pipeline.connect("expander.queries", "retriever.queries")
found = pipeline.run({"expander": {"query": "cara hapus akun instagram"}}, include_outputs_from={"expander"})
print(found["expander"]["queries"][1], "|", found["retriever"]["documents"][0].content)
# how to delete account instagram | How to delete your account
