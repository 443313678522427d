"""The raster kit: pictures, text, plates, composition and encoding."""
