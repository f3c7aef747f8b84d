//! A checked expression.
//!
//! [`Program`] owns the syntax tree. It compiles the tree on first evaluation and resolves it on request;
//! `evaluate` runs the compiled form.

use crate::{
    Kind, Record, Type,
    ast::Expr,
    evaluate::{CompiledProgram, Outcome, Trace, compile, trace_steps},
    resolved::{ResolvedExpression, lower},
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
    compiled: OnceLock<Arc<CompiledProgram>>,
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
    pub fn resolved(&self) -> ResolvedExpression {
        lower(&self.expression, self.kind)
    }

    /// Evaluates the program on a record. The first call compiles the program; clones created after it share the
    /// compiled form.
    #[inline]
    pub fn evaluate(&self, record: &Record) -> Outcome {
        // Both cases continue with one inlined evaluation.
        let compiled = match self.compiled.get() {
            Some(compiled) => compiled,
            None => self.compile(),
        };
        compiled.evaluate(record)
    }

    #[cold]
    #[inline(never)]
    fn compile(&self) -> &CompiledProgram {
        self.compiled.get_or_init(|| Arc::new(compile(&self.resolved())))
    }

    /// Evaluates the program on a record and reports the result of every condition.
    pub fn trace(&self, record: &Record) -> Trace {
        Trace { outcome: self.evaluate(record), steps: trace_steps(&self.resolved(), record) }
    }
}
