//! An expression that has been checked.

use crate::{
    Kind, Type,
    ast::Expr,
    evaluate::{Compiled, compile},
    resolved::{Resolved, lower},
};
use std::sync::{Arc, OnceLock};

/// A checked expression: only [`check`](crate::check()) makes one, so whoever holds one knows that
/// every name, type and literal in it is right.
#[derive(Clone, Debug)]
pub struct Program {
    expression: Expr,
    kind: Kind,
    ty: Type,
    /// Made when it is evaluated first.
    compiled: OnceLock<Arc<Compiled>>,
}

impl Program {
    pub(crate) fn new(expression: Expr, kind: Kind, ty: Type) -> Self {
        Program { expression, kind, ty, compiled: OnceLock::new() }
    }

    /// The syntax it was made from.
    pub fn expression(&self) -> &Expr {
        &self.expression
    }

    /// Type of its value; Boolean unless it is a value expression.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// What it means, with every name, type and literal resolved. Made anew at each call, in time
    /// linear in the expression.
    pub fn resolved(&self) -> Resolved {
        lower(&self.expression, self.kind)
    }

    /// What is evaluated.
    pub(crate) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Arc::new(compile(&self.resolved())))
    }

    /// The same, if it is made already.
    #[inline(always)]
    pub(crate) fn if_compiled(&self) -> Option<&Compiled> {
        self.compiled.get().map(Arc::as_ref)
    }
}
