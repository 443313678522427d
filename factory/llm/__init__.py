"""Pages written by a language model: asked, recorded, checked, composed. docs/llm.md tells how."""
