//! stub
/// Expr.
#[derive(Clone, Debug)]
pub struct Expr {}
