package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// The prose of STATE.md is evidence only by the phrases of this file, which ../README.md lists. A phrase is a row
// of words: "a|b" matches either word, "await*" any word with that prefix, "." up to one other word and ".." up to
// five. Punctuation other than a colon is ignored.

// waitingPhrases mean that work has stopped until a human has done something.
var waitingPhrases = []string{
	"await* . " + humans,
	"waiting for|on . " + humans,
	"blocked on . " + humans,
	"deferred to . human|user|you",
	"ready for human|user|manual|your " + humanActs,
	"uat|qa pending|required|needed|outstanding",
	"pending human|user|your|approval|signoff|manual",
	"human|user . " + humanActs + " pending|required|needed|outstanding",
	"signoff|approval .. pending|required|needed|outstanding",
	"sign off .. pending|required|needed|outstanding",
	"human|user|manual|your " + humanActs + " .. pending|required|needed|outstanding",
	"needs|need|requires|require .. human|user|manual|your " + humanActs,
	"needs|need|requires|require . your|you|approval|signoff",
	"needs|need|requires|require . sign off",
	"user|human|you must " + humanVerbs,
	"user|human|you has|have to " + humanVerbs,
}

// checkpointPhrases mean that a checkpoint was reached.
var checkpointPhrases = []string{
	"checkpoint .. reached|returned", "reached|returned . checkpoint", "at checkpoint", "at the|a|blocking|human .. checkpoint", "verify|action|decision checkpoint :",
}

const (
	humans    = "human|user|you|your|approval|signoff|sign|decision|decisions|choice|choices|uat"
	humanActs = "verif*|sign*|approv*|review*|check*|test*|input|decision*|confirm*|action*|eyes|look*|judg*|interven*|uat|qa|acceptance|inspect*|answer*|response*|ui"
	// humanVerbs are the actions that a human must take: "user must verify", but not "user must be able to log in".
	humanVerbs = "verify|look|check|approve|confirm|test|decide|review|sign|inspect|choose|answer|provide|set"
)

// waitingDenials are phrases that make a sentence no evidence.
var waitingDenials = []string{
	"no|without human|user|manual|checkpoint|approval|sign", "none|nothing|not|longer pending", "not|isn't required|needed|reached", "not yet reached", "no longer", "not await*",
	"was|is|been|now|off|signoff|approval resolved|obtained|received|granted|given|answered", "user story|stories",
}

// checkpointDenials are words of a checkpoint that was passed, or is still to come.
var checkpointDenials = []string{"approved|passed|cleared|received|skipped|resolved|accepted|confirmed|answered|verified|will|before|until|next", "to pause|stop|look at", "then pause|stop|look at"}

// AwaitsHuman reports whether a text of STATE.md means that work has stopped until a human has done something: one of
// its sentences has one of the phrases and no denial.
func AwaitsHuman(text string) bool {
	return hasSentence(cutStruck(text), func(s words) bool {
		return !s.hasAny(waitingDenials) && (s.hasAny(waitingPhrases) || s.hasAny(checkpointPhrases) && !s.hasAny(checkpointDenials))
	})
}

// cutStruck returns a text without its struck-through parts.
func cutStruck(text string) string {
	before, rest, isStruck := doc.Cut(text, "~~")
	if _, after, isClosed := doc.Cut(rest, "~~"); isStruck && isClosed {
		return before + cutStruck(after)
	}
	return text
}

var nextMilestonePhrases = []string{"awaiting . next milestone", "between milestones", "ready for . next milestone"}

// awaitsNextMilestone reports whether a text of STATE.md means that its milestone is over and no other has begun.
func awaitsNextMilestone(text string) bool {
	return hasSentence(text, func(s words) bool { return s.hasAny(nextMilestonePhrases) })
}

var workPhrases = []string{"execut*|planning|discuss*|verif*|progress*|paus*|stopp*|start*|defin*|gather*|awaiting|waiting|pending|begin*|building|implement*|working"}

// isAtWork reports whether a text of STATE.md means that work continues.
func isAtWork(text string) bool { return splitWords(text).hasAny(workPhrases) }

// SaysComplete reports whether a status calls the milestone complete. As in GSD, a word for ongoing work takes
// precedence. Words about a phase, a plan ("completed 03-01") or the research do not apply to the milestone.
func SaysComplete(status string) bool {
	has := func(parts ...string) bool { return containsAny(doc.Lower(status), parts...) }
	if has("incomplete", "paused", "stopped", "execut", "in progress", "planning", "ready to", "discuss", "verif", "awaiting", "not ", "nearly", "almost", "partly", "partially", "undone") {
		return false
	}
	if phase, _ := FindPlanNumber(status); !has("milestone") && (phase != "" || hasAnyPrefix(doc.Lower(status), "phase", "plan", "research", "wave", "task")) {
		return false
	}
	return has("complet", "done", "shipped", "archived", "finished", "closed", "released")
}

var (
	overWords = []string{"shipped|closed|archived|abandoned|parked|released"}
	partWords = []string{"phase|phases|plan|plans|task|tasks|wave|waves|hotfix|issue|issues|gap|gaps|bug|bugs|pr|research"}
	// milestoneWords may precede a word of overWords in "the current milestone is now shipped".
	milestoneWords = []string{"milestone", "project", "the", "current", "this", "is", "was", "has", "been", "now", "fully", "successfully", "complete", "completed", "and"}
	unsureWords    = []string{"not|never|partly|partially|nearly|almost|half|until|once|before|when|ready|to|be"}
)

// saysOver reports whether a text of STATE.md calls the milestone of a version shipped or closed: "shipped", "v1.1 New shipped
// 2026-02-16", "milestone closed and tagged". "Complete" is a claim, not an end. Without a version any will do.
func saysOver(text, version string) bool {
	if isAtWork(text) {
		return false
	}
	all := splitWords(text)
	if len(splitWords(version)) == 0 {
		version = "" // a sign does not count
	}
	isNamed := false // a version is before the word
	for i, word := range all {
		switch one := all[i : i+1]; {
		case isVersionWord(word):
			if version != "" && !equalFold(word, version) || version == "" && isNamed {
				return false
			}
			isNamed = true
		case one.hasAny(overWords):
			if next := all[i+1 : min(len(all), i+3)]; next.namesPart() {
				return false
			}
			return isNamed || !slices.ContainsFunc(all[:i], func(word string) bool { return !slices.Contains(milestoneWords, word) })
		case one.namesPart(), one.hasAny(unsureWords):
			return false
		}
	}
	return false
}

// completedVersion returns the version that a status calls complete, shipped or closed before it names another one: "v1.3" in
// "v1.3 complete — ready for v1.4 planning".
func completedVersion(status string) string {
	all := splitWords(status)
	if len(all) > 1 && isVersionWord(all[0]) && (all[1:].hasAny(overWords) || all[1:min(len(all), 3)].hasAny([]string{"complete|completed|done"})) {
		at := indexFold(status, all[0])
		return status[at : at+len(all[0])]
	}
	return ""
}

// namesPart reports whether the words name a part of a milestone: a phase, a plan, "03-01".
func (all words) namesPart() bool {
	return all.hasAny(partWords) || len(all) > 0 && doc.CountDigits(all[0]) == len(all[0]) && len(all[0]) < 4
}

// isVersionWord reports whether a word is a version, "v1.2".
func isVersionWord(word string) bool { return foldByte(word[0]) == 'v' && isDigit(byteAt(word, 1)) }

// words are the words of a sentence in lower case. A colon is one of them; a version and a number with a point are one
// word.
type words []string

// maxWords limits the words of a text that are looked at.
const maxWords = 200

func splitWords(text string) (all words) {
	var word []byte
	for i := 0; i <= len(text) && len(all) < maxWords; i++ {
		c := byteAt(text, i)
		if isAlphanumeric(c) || (c == '.' || c == '\'') && len(word) > 0 && isAlphanumeric(byteAt(text, i+1)) {
			word = append(word, foldByte(c))
			continue
		}
		if len(word) > 0 {
			all, word = append(all, string(word)), nil
		}
		if c == ':' {
			all = append(all, ":")
		}
	}
	return all
}

// hasSentence reports whether one of the sentences of a text holds. They end with semicolons, line ends and points.
func hasSentence(text string, holds func(s words) bool) bool {
	start := 0
	for i := range len(text) + 1 {
		if c := byteAt(text, i); i == len(text) || c == ';' || c == '\n' || c == '.' && (i+1 == len(text) || text[i+1] == ' ') {
			if holds(splitWords(text[start:i])) {
				return true
			}
			start = i + 1
		}
	}
	return false
}

// hasAny reports whether one of the phrases is among the words.
func (all words) hasAny(phrases []string) bool {
	for _, phrase := range phrases {
		for i := range all {
			if all[i:].beginWith(phrase) {
				return true
			}
		}
	}
	return false
}

// beginWith reports whether the words begin with a phrase.
func (all words) beginWith(phrase string) bool {
	if phrase == "" {
		return true
	}
	alternatives, rest, _ := doc.Cut(phrase, " ")
	if alternatives[0] == '.' {
		for skipped := 0; skipped <= 1 || skipped <= 5 && alternatives == ".."; skipped++ {
			if skipped <= len(all) && all[skipped:].beginWith(rest) {
				return true
			}
		}
		return false
	}
	for more := len(all) > 0; more; {
		var word string
		word, alternatives, more = doc.Cut(alternatives, "|")
		if stem := cutSuffix(word, "*"); all[0] == word || stem != word && doc.HasPrefix(all[0], stem) {
			return all[1:].beginWith(rest)
		}
	}
	return false
}
