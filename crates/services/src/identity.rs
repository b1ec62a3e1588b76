//! Use cases of the identity service.
