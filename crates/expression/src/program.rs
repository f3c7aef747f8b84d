//! An expression that has been checked.

use crate::{Type, ast::Expr};

/// A checked expression: only [`check`](crate::check()) makes one, so whoever holds one knows that
/// every name, type and literal in it is right.
#[derive(Clone, Debug)]
pub struct Program {
    expression: Expr,
    ty: Type,
}

impl Program {
    pub(crate) fn new(expression: Expr, ty: Type) -> Self {
        Program { expression, ty }
    }

    /// The syntax it was made from.
    pub fn expression(&self) -> &Expr {
        &self.expression
    }

    /// Type of its value; Boolean unless it is a value expression.
    pub fn ty(&self) -> Type {
        self.ty
    }
}
