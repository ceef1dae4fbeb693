"""Measurements of speed, translation and quality; see README.md."""
