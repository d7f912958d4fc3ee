// Whether a sentence of STATE.md says that work stands still until a human has done something.

package rules

// AwaitsHuman reports whether a sentence says that work stands still until a human has done something: a word for waiting and
// one for whom or for what, what a human must do, or a checkpoint that was reached. "Awaiting next milestone" and "ready for
// verification" say neither.
func AwaitsHuman(said string) bool {
	start := 0
	for i := 0; i <= len(said); i++ {
		if i == len(said) || said[i] == ';' {
			if awaits(words(said[start:i]), said[start:i]) {
				return true
			}
			start = i + 1
		}
	}
	return false
}

func awaits(w sentence, said string) bool {
	for _, not := range [...]string{
		"no human", "no user", "no manual", "no checkpoint", "no approval", "no sign off", "none pending", "nothing pending", "no longer", "not required", "not needed", "not pending",
		"not reached", "not yet reached", "without human", "isn't required", "isn't needed",
	} {
		if w.has(not) {
			return false
		}
	}
	for i, word := range w {
		if word == "not" && i+1 < len(w) && starts(w[i+1], "await") {
			return false
		}
	}
	return w.waits() || w.mustAct() || w.atCheckpoint(said)
}

// waits: "awaiting human verification", "checkpoint, approval pending".
func (w sentence) waits() bool {
	waits, whom := false, false
	for i, word := range w {
		next := ""
		if i+1 < len(w) {
			next = w[i+1]
		}
		switch {
		case starts(word, "await"), word == "pending", word == "waiting" && oneOf(next, "for", "on"), word == "blocked" && next == "on", word == "deferred" && next == "to":
			waits = true
		case oneOf(word, "human", "user", "users", "you", "your", "approval", "manual", "signoff", "checkpoint", "checkpoints"), word == "sign" && next == "off":
			whom = true
		}
	}
	return waits && whom
}

// mustAct: "needs human sign-off", "human verification required", "user must verify", "sign-off outstanding".
func (w sentence) mustAct() bool {
	for i, word := range w {
		before, behind := w[max(0, i-5):i], w[i+1:min(len(w), i+4)]
		switch {
		case oneOf(word, "needs", "need", "requires", "require"):
			if behind.toHuman() || oneOf(first(behind), "your", "you") {
				return true
			}
		case oneOf(word, "required", "needed", "outstanding"):
			if before.toHuman() {
				return true
			}
		case oneOf(word, "must", "has", "have"):
			if i > 0 && oneOf(w[i-1], "user", "human", "you") && (word == "must" || first(behind) == "to") {
				verb := behind
				if word != "must" {
					verb = behind[1:]
				}
				if oneOf(first(verb), "verify", "look", "check", "approve", "confirm", "test", "decide", "review", "sign", "inspect", "choose", "answer", "provide", "set") {
					return true
				}
			}
		}
	}
	return false
}

// toHuman reports whether words name what a human does, and not only something for one: "human verification", "sign-off",
// "manual check", but no "user model".
func (w sentence) toHuman() bool {
	for i, word := range w {
		next := ""
		if i+1 < len(w) {
			next = w[i+1]
		}
		switch {
		case oneOf(word, "signoff", "approval"), word == "sign" && next == "off":
			return true
		case oneOf(word, "human", "user", "manual", "your"):
			for _, act := range [...]string{"verif", "sign", "approv", "review", "check", "test", "input", "decision", "confirm", "action", "eyes", "look", "judg", "interven", "uat", "inspect", "answer", "response"} {
				if starts(next, act) {
					return true
				}
			}
		}
	}
	return false
}

// atCheckpoint: "checkpoint:human-verify reached", "paused at checkpoint", "returned checkpoint to user", "human-action
// checkpoint: set DNS"; none that was passed, or will be met.
func (w sentence) atCheckpoint(said string) bool {
	point := -1
	for i, word := range w {
		if word == "checkpoint" {
			point = i
			break
		}
	}
	if point < 0 {
		return false
	}
	for i, word := range w {
		if i >= point-4 && i <= point+5 && oneOf(word, "approved", "passed", "cleared", "received", "skipped", "resolved", "accepted", "confirmed", "answered", "verified", "will", "before", "until", "next") {
			return false
		}
	}
	for i, word := range w {
		switch {
		case word == "reached", word == "returned":
			return true
		case word == "at" && i < point && point-i <= 3 && (point == i+1 || w[i+1:point].only("the", "a", "blocking", "human", "verify", "action", "decision")) && (i == 0 || !oneOf(w[i-1], "pause", "stop", "look")):
			return true
		}
	}
	if point >= 2 && oneOf(w[point-1], "verify", "action", "decision") {
		for i := 0; i+len("checkpoint:") <= len(said); i++ {
			if starts(said[i:], "checkpoint:") {
				return true
			}
		}
	}
	return false
}

func first(w sentence) string {
	if len(w) == 0 {
		return ""
	}
	return w[0]
}
