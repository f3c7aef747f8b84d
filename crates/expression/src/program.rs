//! A checked expression.
//!
//! [`Program`] owns the syntax tree. It compiles the tree on first evaluation and resolves it on request.

use crate::{
    Kind, Type,
    ast::Expr,
    evaluate::{Compiled, compile},
    resolved::{Resolved, lower},
};
use std::sync::{Arc, OnceLock};

/// A checked expression.
///
/// Only [`check`](crate::check()) constructs one, so every name, type and literal in it is valid.
#[derive(Clone, Debug)]
pub struct Program {
    expression: Expr,
    kind: Kind,
    ty: Type,
    /// The compiled form, created by the first evaluation and shared by later clones.
    compiled: OnceLock<Arc<Compiled>>,
}

impl Program {
    pub(crate) fn new(expression: Expr, kind: Kind, ty: Type) -> Self {
        Program { expression, kind, ty, compiled: OnceLock::new() }
    }

    /// Returns the syntax tree.
    pub fn expression(&self) -> &Expr {
        &self.expression
    }

    /// Returns the type of the value: Boolean, unless the program is a value expression.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// Returns the resolved tree. Each call builds it from scratch, in time linear in the expression.
    pub fn resolved(&self) -> Resolved {
        lower(&self.expression, self.kind)
    }

    /// Returns the compiled form, compiling the expression if necessary.
    pub(crate) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Arc::new(compile(&self.resolved())))
    }

    /// Returns the compiled form, if it exists already.
    #[inline(always)]
    pub(crate) fn if_compiled(&self) -> Option<&Compiled> {
        self.compiled.get().map(Arc::as_ref)
    }
}
