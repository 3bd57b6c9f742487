"""The arguments that a message gives for an ability, each in the type that its schema asks for."""
