package demo

// This file holds the milestone that was shipped before the story begins.

// archive is the milestone that is over.
func archive() []*phase {
	return []*phase{{
		number: "1", dir: "01-window-sill", name: "Window Sill",
		goal: "A microphone on the window sill records one morning.",
		plans: []*plan{
			{id: "01-01", title: "Record a morning", wave: 1, minutes: 25, why: "Without a morning there is no diary.",
				result: "One morning is recorded to a card.", tasks: []task{{name: "Write samples to the card", files: "recorder/store.go", done: "Four hours without a gap"}}},
			{id: "01-02", title: "Survive the night", wave: 2, needs: []string{"01-01"}, minutes: 17, why: "Dew and cold end the first attempt.",
				result: "The recorder runs a night at two degrees.", tasks: []task{{name: "Restart after a brown-out", files: "recorder/power.go", done: "Recording goes on within a second"}}},
		},
	}, {
		number: "2", dir: "02-first-names", name: "First Names",
		goal: "The commonest ten birds get their names.",
		plans: []*plan{
			{id: "02-01", title: "Name ten birds", wave: 1, minutes: 38, why: "Ten birds sing nine of ten songs.",
				result: "Ten birds are named, seven of ten times rightly.", tasks: []task{{name: "Run the model over a clip", files: "ears/name.go", done: "A clip takes less time than it lasts"}}},
		},
	}, {
		number: "3", dir: "03-plain-diary", name: "Plain Diary",
		goal: "A text file lists who sang.",
		plans: []*plan{
			{id: "03-01", title: "A list for each morning", wave: 1, minutes: 11, why: "It has to be read by somebody.",
				result: "A text file a day, one line a song.", tasks: []task{{name: "Write the list", files: "diary/entry.go", done: "Sorted by minute"}}},
		},
	}}
}
