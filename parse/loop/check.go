package loop

const (
	ruleVersion    = "loop-version"
	ruleDefinition = "loop-definition"
)
