"""What goes over the wire: every address of the API with its types, as data, and its description in OpenAPI."""
