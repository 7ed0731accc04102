//! Texts of what the front end knows, for developers.
