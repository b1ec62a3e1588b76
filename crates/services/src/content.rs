//! Use cases of the content service.
