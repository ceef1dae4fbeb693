"""Are the variants right?  Labelled cases, judged by rules that are written down."""
