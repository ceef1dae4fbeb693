"""spaCy: each query is a document, its plan stands in doc._.plan."""

import spacy

nlp = spacy.blank("id")
nlp.add_pipe("rewriter", config={"policy": {"max_variants": 3}})

for doc in nlp.pipe(["cara hapus akun instagram", "resep rendang tanpa santan"]):
    print(doc._.plan.intent, doc._.plan.queries[1:])

follow_up = nlp.make_doc("harganya berapa")
follow_up._.context = ["spesifikasi iphone 16"]
print(nlp(follow_up)._.plan.queries[1])
# how-to ('how to delete account instagram', 'Bagaimana cara menghapus akun Instagram?')
# how-to ('rendang recipe without coconut milk', 'Bagaimana cara membuat rendang tanpa santan?')
# harga iphone 16 berapa
