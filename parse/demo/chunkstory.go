package demo

// This file is the story of the build in chunks that runs beside the other two: what is built, in which order, what goes
// wrong, and what its user is asked. Its files are in the form of protocols/fctry-state.md.

import (
	"strings"
	"time"
)

const (
	// feederDir is a directory below the project's own, with a project in it.
	feederDir    = "seedwatch"
	feederHome   = feederDir + "/.fctry"
	feederState  = feederHome + "/state.json"
	feederInbox  = feederHome + "/inbox.json"
	feederConfig = feederHome + "/config.json"
	feederSpec   = feederHome + "/spec.md"

	specBefore, specNow = "1.3", "1.4"
)

// chunk is a chunk of the plan.
type chunk struct {
	id        int
	name      string
	needs     []int
	sections  []string
	scenarios []string
	takes     time.Duration
	checks    []string // what is looked at when it is built
	fails     string   // the check that the first attempt does not pass, "" where all goes well
	asks      string   // what its user is asked before it begins, "" for nothing
	otherwise string   // what the agent decides itself when nobody answers
}

// feederPlan is what is built.
func feederPlan() []chunk {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return []chunk{
		{1, "Read the Scale", nil, []string{"#weighing"}, []string{"A wren is not a gust of wind"}, seconds(5), []string{"Eleven grams are seen", "Wind is not"}, "", "", ""},
		{2, "Who Landed", []int{1}, []string{"#visitors"}, []string{"A great tit is known by its weight and hour"}, seconds(5), []string{"Nine of ten tits are named"}, "", "", ""},
		{3, "Seed Level", []int{1}, []string{"#seed"}, []string{"The level is true after rain"}, seconds(6), []string{"Wet seed weighs as dry", "The level falls with each visit"}, "", "", ""},
		{4, "Visit Log", []int{2}, []string{"#visitors", "#diary"}, []string{"A morning fits on one screen"}, seconds(7), []string{"Visits of one bird are joined", "The log survives a power cut"}, "", "", ""},
		{5, "Squirrel Alarm", []int{2, 3}, []string{"#squirrels"}, []string{"A squirrel is noticed before the seed is gone"}, seconds(7), []string{"A squirrel sets it off", "Two jays do not"}, "Two jays do not", "", ""},
		{
			6, "Refill Warning", []int{3}, []string{"#seed"}, []string{"Nobody climbs the ladder for nothing"}, seconds(6), []string{"It calls once, not every hour"}, "",
			"When shall Seedwatch call for more seed? Say it in the inbox", "Call when a day's seed is left",
		},
		{7, "Night Lid", nil, []string{"#lid"}, []string{"Mice find a closed lid"}, seconds(6), []string{"Closed an hour after the last bird"}, "", "", ""},
		{8, "Week on a Page", []int{4, 6}, []string{"#diary"}, []string{"A week is read over breakfast"}, seconds(6), []string{"Seven days, no scrolling"}, "", "", ""},
		{9, "Winter Trial", []int{5, 7, 8}, []string{"#weighing", "#lid"}, []string{"A frosty week passes untouched"}, seconds(8), []string{"No false weight at minus nine", "The lid does not freeze"}, "", "", ""},
	}
}

// feederSections are the sections of the specification.
var feederSections = []struct{ number, title, alias, text string }{
	{"2.1", "Weighing", "weighing", "Whoever lands is weighed to the gram, in wind and rain."},
	{"2.2", "Visitors", "visitors", "A visitor has a name by its weight, its hour and how long it stays."},
	{"2.3", "Seed", "seed", "How much is left is always known, and somebody is called in time."},
	{"2.4", "Squirrels", "squirrels", "A squirrel is told from two jays, and the lid closes before it."},
	{"2.5", "The Lid", "lid", "It closes for the night and for squirrels, and never on a bird."},
	{"3.1", "The Diary", "diary", "What came and went stands in Dawnbook's diary, a week on a page."},
}

// renderSpec returns the specification.
func renderSpec() string {
	var b strings.Builder
	b.WriteString("---\ntitle: Seedwatch\nspec-version: \"" + specNow + "\"\nstatus: active\n---\n\n# Seedwatch\n\nA bird feeder that knows who comes, and when to be filled.\n\n## Contents\n\n")
	for _, s := range feederSections {
		b.WriteString("- " + s.number + " [" + s.title + "](#" + strings.ReplaceAll(s.number, ".", "") + "-" + s.alias + ") `#" + s.alias + "`\n")
	}
	for _, s := range feederSections {
		b.WriteString("\n### " + s.number + " " + s.title + " {#" + s.alias + "}\n\n" + s.text + "\n")
	}
	return b.String()
}
