"""How far the bilingual lexicon reaches, and how right it is."""
