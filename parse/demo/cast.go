package demo

// This file holds the story's cast: the milestone's phases, plans and tasks.

const (
	product   = "Dawnbook"
	pitch     = "A recorder on the window sill listens at dawn, names the birds it hears and keeps a diary of them."
	coreValue = "Open the diary at breakfast and know who sang outside, without having been awake."
	milestone = "Dawn Chorus"
)

func cast() []*phase {
	return []*phase{{
		number: "4", dir: "04-quiet-recorder", name: "Quiet Recorder",
		goal:  "The recorder on the window sill catches every dawn of a month on one battery.",
		needs: "Nothing (first phase of v1.1)", require: []string{"REC-04", "REC-05"},
		truths: []string{
			"The recorder wakes an hour before sunrise, wherever it stands",
			"A month of mornings fits one charge",
		},
		plans: []*plan{{
			id: "04-01", title: "Wake an hour before sunrise", wave: 1, minutes: 14,
			why:    "An alarm clock is wrong twice a year and in every other town.",
			result: "The recorder computes sunrise from its place and wakes sixty minutes before.",
			tasks: []task{
				{name: "Compute sunrise for a place and a day", files: "recorder/sun.go, recorder/sun_test.go", done: "Within one minute of the almanac for twelve towns"},
				{name: "Sleep until then", files: "recorder/wake.go", done: "Draws under two milliwatts while asleep"},
			},
		}, {
			id: "04-02", title: "Keep only what sings", wave: 2, needs: []string{"04-01"}, minutes: 22,
			why:    "Nine tenths of a morning are silence, and silence fills the card.",
			result: "Silence is dropped while recording; a morning shrank from 410 MB to 38 MB.",
			tasks: []task{
				{name: "Tell silence from song", files: "recorder/gate.go, recorder/gate_test.go", done: "No song lost in forty sample mornings"},
				{name: "Write songs with their minute", files: "recorder/store.go", done: "Every clip carries its start to the second"},
			},
		}},
	}, {
		number: "5", dir: "05-better-ears", name: "Better Ears",
		goal:  "A blackbird is told from a song thrush nine times out of ten.",
		needs: "Phase 4", require: []string{"EAR-02", "EAR-03", "EAR-04"},
		truths: []string{
			"Nine of ten names are right on mornings never heard before",
			"Two birds singing at once get two names",
			"A doubtful name is marked as doubtful",
		},
		plans: []*plan{{
			id: "05-01", title: "Learn from the neighbourhood", wave: 1, minutes: 31,
			why:    "A model that knows ten thousand birds confuses the twenty in the garden.",
			result: "The model is narrowed to the birds of the region and the season.",
			tasks: []task{
				{name: "List the birds of a region by week", files: "ears/season.go, ears/season_test.go", done: "No swallow in January"},
				{name: "Weigh names by the list", files: "ears/name.go", done: "Right names rise from 71 to 88 of 100"},
			},
		}, {
			id: "05-02", title: "Two birds at once", wave: 1, minutes: 27,
			why:    "The chorus is called a chorus for a reason.",
			result: "Overlapping songs are split by pitch before they are named.",
			tasks: []task{
				{name: "Split a clip by pitch", files: "ears/split.go, ears/split_test.go", done: "Wren and robin come apart in all nine test clips"},
				{name: "Name the parts", files: "ears/name.go", done: "Both names reach the diary"},
			},
		}, {
			id: "05-03", title: "Say so when unsure", wave: 2, needs: []string{"05-01", "05-02"}, minutes: 12,
			why:    "A wrong name is worse than none.",
			result: "Names below 0.7 are written with a question mark.",
			tasks: []task{
				{name: "Carry the doubt along", files: "ears/name.go, diary/entry.go", done: "Every entry has a certainty"},
				{name: "Show it", files: "diary/page.go", done: "Doubtful names end in a question mark"},
			},
		}},
	}, {
		number: "5.5", dir: "05.5-wind-and-rain", name: "Wind and Rain", inserted: true,
		goal:  "A stormy morning makes an honest page, not a wrong one.",
		needs: "Phase 5", require: []string{"EAR-05"},
		truths: []string{
			"Wind never becomes a bird",
			"A morning with too much rain says so",
			"A windy recording still sounds like a morning",
		},
		plans: []*plan{{
			id: "05.5-01", title: "Measure the wind", wave: 1, minutes: 18,
			why:    "Gusts look like owls to the model.",
			result: "Every clip carries a wind strength from 0 to 9, read from its lowest octave.",
			tasks: []task{
				{name: "Read the lowest octave", files: "ears/wind.go, ears/wind_test.go", done: "Agrees with the weather station within one step"},
				{name: "Write it to the clip", files: "recorder/store.go", done: "Old clips read as strength unknown"},
			},
		}, {
			id: "05.5-02", title: "Set doubtful names aside", wave: 2, needs: []string{"05.5-01"}, minutes: 16,
			why:    "Above strength 6 the model guesses.",
			result: "Above wind 6 names are set aside, and the page says how many.",
			tasks: []task{
				{name: "Set names aside above strength 6", files: "ears/name.go", done: "No owl on the stormy test mornings"},
				{name: "Say how many on the page", files: "diary/page.go", done: "\"4 songs lost to the wind\" at the foot of the page"},
			},
		}},
	}, {
		number: "6", dir: "06-diary-pages", name: "Diary Pages",
		goal:  "The diary shows who sang, when, and for how long.",
		needs: "Phase 5.5", require: []string{"DIA-01", "DIA-02", "DIA-03"},
		truths: []string{
			"Each morning has a page with names, times and lengths",
			"A name can be heard, not only read",
			"The year fits on one screen",
			"A morning without birds has a page too",
		},
		plans: []*plan{{
			id: "06-01", title: "One page a morning", wave: 1, minutes: 24,
			why:    "The page is what the user opens the diary for.",
			result: "A morning is drawn as one line per bird, from first note to last.",
			tasks: []task{
				{name: "Gather a morning's songs", files: "diary/morning.go, diary/morning_test.go", done: "Songs of one bird join when under a minute apart"},
				{name: "Draw the page", files: "diary/page.go", done: "Readable at arm's length"},
			},
		}, {
			id: "06-02", title: "A sound to every name", wave: 1, minutes: 9,
			why:    "Nobody learns a song from its name.",
			result: "Stopped: the licence of the sample library forbids shipping its sounds.",
			tasks: []task{
				{name: "Bundle a sample for each bird", files: "diary/sounds.go", done: "A sample for every name of the region"},
				{name: "Play it on a key", files: "diary/play.go", done: "Starts within 50 ms"},
			},
		}, {
			id: "06-03", title: "The year at a glance", wave: 2, needs: []string{"06-01"}, minutes: 19,
			why:    "The first swallow matters because of all the days before it.",
			result: "A strip of 365 mornings shows when each bird came and went.",
			tasks: []task{
				{name: "Count a year by day and bird", files: "diary/year.go, diary/year_test.go", done: "A year loads in under 100 ms"},
				{name: "Draw the strip", files: "diary/strip.go", done: "Fits 80 columns"},
			},
		}, {
			id: "06-04", title: "Listen to a page", wave: 2, needs: []string{"06-02"}, minutes: 15,
			why:    "A whole morning in thirty seconds, bird by bird.",
			result: "A page plays its birds in the order in which they woke.",
			tasks: []task{
				{name: "Play a page in order", files: "diary/play.go, diary/play_test.go", done: "Thirty seconds for any morning"},
				{name: "Leave room between birds", files: "diary/play.go", done: "No two samples overlap"},
			},
		}, {
			id: "06-05", title: "Sounds from the open archive", wave: 1, minutes: 17,
			why:    "The open archive allows what the library forbids, and names its recordists.",
			result: "Every bird has a sample from the open archive, with its recordist's credit.",
			tasks: []task{
				{name: "Choose a recording for each bird", files: "diary/archive.go", done: "All 43 birds of the region, none longer than five seconds"},
				{name: "Credit the recordist", files: "diary/page.go", done: "A credit line below every sample"},
			},
		}, {
			id: "06-06", title: "A page for a silent morning", wave: 3, needs: []string{"06-01"}, minutes: 6, gap: true,
			why:    "Verification found a blank page where no bird had sung.",
			result: "A silent morning says so, and names the last morning that was not.",
			tasks: []task{
				{name: "Draw a page without birds", files: "diary/page.go, diary/page_test.go", done: "\"Nobody sang. Last heard: a wren, on Tuesday.\""},
			},
		}},
	}, {
		number: "7", dir: "07-listening-together", name: "Listening Together",
		goal:  "Two neighbours compare their mornings without telling anybody where they live.",
		needs: "Phase 6", require: []string{"SHR-01", "SHR-02"},
		truths: []string{
			"A shared list names birds and minutes, never a place",
			"The first cuckoo of the street is found, whoever heard it",
		},
		plans: []*plan{{
			id: "07-01", title: "Share a list, not a place", wave: 1, minutes: 21,
			why:    "A recorder by the bedroom window must not publish the bedroom window.",
			result: "Lists leave the house with names and minutes only, signed by the diary.",
			tasks: []task{
				{name: "Strip everything but names and minutes", files: "share/list.go, share/list_test.go", done: "A fuzz test finds no coordinates"},
				{name: "Sign the list", files: "share/sign.go", done: "A changed list is refused"},
			},
		}, {
			id: "07-02", title: "First cuckoo of the street", wave: 2, needs: []string{"07-01"}, minutes: 13,
			why:    "It is the one thing every neighbour asks.",
			result: "The earliest song of each bird is marked with the diary that heard it.",
			tasks: []task{
				{name: "Merge lists by bird and minute", files: "share/merge.go, share/merge_test.go", done: "Order of arrival does not matter"},
				{name: "Mark the first of the year", files: "diary/strip.go", done: "A small flag on the strip"},
			},
		}},
	}, {
		number: "8", dir: "08-sunday-postcard", name: "Sunday Postcard",
		goal:  "Every Sunday at eight a postcard of the week lies in the printer.",
		needs: "Phase 7", require: []string{"CARD-01", "CARD-02"},
		truths: []string{
			"A week fits on one postcard",
			"The card is printed on Sunday at eight",
			"It can be read at arm's length",
		},
		plans: []*plan{{
			id: "08-01", title: "A week on a card", wave: 1, minutes: 20,
			why:    "Grandparents do not open diaries on a screen.",
			result: "Seven mornings fit on a card of 148 by 105 millimetres.",
			tasks: []task{
				{name: "Lay out seven mornings", files: "card/layout.go, card/layout_test.go", done: "The busiest week of May still fits"},
				{name: "Draw it as a page", files: "card/draw.go", done: "Margins of five millimetres all round"},
			},
		}, {
			id: "08-02", title: "Print on Sunday at eight", wave: 2, needs: []string{"08-01"}, minutes: 11,
			why:    "A card that must be asked for is forgotten.",
			result: "The card prints on Sunday at eight, or as soon as the printer wakes.",
			tasks: []task{
				{name: "Send the card to the printer", files: "card/print.go", done: "A sleeping printer gets it when it wakes"},
				{name: "Print the week that ended", files: "card/week.go, card/week_test.go", done: "Right in the week of a clock change"},
			},
		}},
	}}
}
