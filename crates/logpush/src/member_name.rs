//! The names of members of the objects in a filter.

/// The name of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberName {
    /// A member that contains conditions.
    Group(GroupName),
    /// A member of a condition.
    Condition(ConditionMember),
}

/// The name of a member that contains conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupName {
    Where,
    And,
    Or,
}

/// The name of a member of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionMember {
    Key,
    Operator,
    Value,
}

impl MemberName {
    pub(crate) const WHERE: MemberName = MemberName::Group(GroupName::Where);
    pub(crate) const AND: MemberName = MemberName::Group(GroupName::And);
    pub(crate) const OR: MemberName = MemberName::Group(GroupName::Or);
    pub(crate) const KEY: MemberName = MemberName::Condition(ConditionMember::Key);
    pub(crate) const OPERATOR: MemberName = MemberName::Condition(ConditionMember::Operator);
    pub(crate) const VALUE: MemberName = MemberName::Condition(ConditionMember::Value);

    /// All names.
    pub(crate) const ALL: [MemberName; 6] = [Self::KEY, Self::OPERATOR, Self::VALUE, Self::AND, Self::OR, Self::WHERE];

    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MemberName::Group(group) => group.name(),
            MemberName::Condition(member) => member.name(),
        }
    }

    /// Returns the member with this [`name`](Self::name).
    pub(crate) fn from_name(name: &str) -> Option<MemberName> {
        Self::ALL.into_iter().find(|member| member.name() == name)
    }
}

impl GroupName {
    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            GroupName::Where => "where",
            GroupName::And => "and",
            GroupName::Or => "or",
        }
    }
}

impl ConditionMember {
    /// All members of a condition, in the order in which they are written.
    pub(crate) const ALL: [ConditionMember; 3] =
        [ConditionMember::Key, ConditionMember::Operator, ConditionMember::Value];

    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ConditionMember::Key => "key",
            ConditionMember::Operator => "operator",
            ConditionMember::Value => "value",
        }
    }
}
