"""Between the window and Partner: what the person does goes down, what happens comes up."""
