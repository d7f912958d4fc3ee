package demo

// This file holds what the loop produces: the birds of the guide and the texts about them.

import (
	"fmt"
	"strings"
)

// bird is an entry of the guide.
type bird struct {
	name, latin string
	first       string // when it sings first, before or after sunrise
	mornings    int    // of the year on which it was heard
	song        string
	twin        string // with which it is confused
	tell        string // how to tell them apart
}

var birds = []bird{
	{"Robin", "Erithacus rubecula", "74 min before", 311, "a thin, unhurried trickle that never repeats a phrase", "Wren", "the wren shouts, the robin muses"},
	{"Blackbird", "Turdus merula", "68 min before", 188, "a mellow flute with a scratchy ending, as if it ran out of breath", "Mistle thrush", "the blackbird takes its time between phrases"},
	{"Song thrush", "Turdus philomelos", "61 min before", 142, "every phrase twice or three times, loud and proud", "Blackbird", "count: what is said twice is a thrush"},
	{"Redstart", "Phoenicurus phoenicurus", "57 min before", 49, "a short sweet line that ends in a crackle", "Robin", "the crackle gives it away"},
	{"Wren", "Troglodytes troglodytes", "41 min before", 274, "five seconds of everything at once, with a trill in the middle", "Dunnock", "the dunnock has no trill"},
	{"Great tit", "Parus major", "33 min before", 296, "a squeaky pump: tea-cher, tea-cher", "Coal tit", "the coal tit pumps faster and higher"},
	{"Chiffchaff", "Phylloscopus collybita", "28 min before", 117, "its own name, over and over, never quite in order", "Great tit", "two notes without a tune are a chiffchaff"},
	{"Dunnock", "Prunella modularis", "24 min before", 163, "a hurried, level warble like a squeaky trolley", "Wren", "half as loud and half as long"},
	{"Goldfinch", "Carduelis carduelis", "6 min after", 209, "a handful of small bells thrown down the stairs", "Greenfinch", "the greenfinch wheezes between the bells"},
	{"House sparrow", "Passer domesticus", "11 min after", 347, "one word, repeated until somebody answers", "Tree sparrow", "drier, and from higher up, is a tree sparrow"},
}

// guideMetrics are what each phase of the loop measures.
var guideMetrics = map[string]members[int]{
	"GATHER":  {{"songs_counted", 2096}, {"birds_chosen", len(birds)}},
	"OUTLINE": {{"pages_planned", len(birds) + 4}},
	"WRITE":   {{"entries_written", len(birds)}},
	"CHECK":   {{"claims_checked", 4 * len(birds)}, {"claims_without_source", 0}},
	"PROOF":   {{"pages_set", len(birds) + 4}, {"misprints_mended", 3}},
	"PRINT":   {{"copies_ordered", 40}},
}

// renderGuide returns a deliverable, or what there is of it half-way.
func (b *Build) renderGuide(file string, half bool) string {
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	some := birds
	if half {
		some = birds[:len(birds)/2]
	}
	switch strings.TrimPrefix(file, guideDir+"/") {
	case "BIRDS.md":
		line("# Birds of the Garden\n\nFrom 365 mornings of the diary. A bird is chosen when it sang on more than forty.\n")
		line("| Bird | Mornings | First song |\n|------|---------:|------------|")
		for _, x := range some {
			line("| %s (*%s*) | %d | %s sunrise |", x.name, x.latin, x.mornings, x.first)
		}
		line("\n## Left Out\n\nThe tawny owl, who sings before the recorder wakes; the neighbours' cockerel, who is no wild bird.")
	case "OUTLINE.md":
		line("# Outline\n\nFourteen pages of postcard size, in the order in which the birds begin to sing: whoever\nopens the guide in the dark turns one page at a time until it is light.\n")
		line("## Pages\n\n1. Cover: the garden an hour before sunrise\n2. How to use this guide with your eyes closed")
		for i, x := range some {
			line("%d. %s, from %s sunrise", i+3, x.name, x.first)
		}
		if !half {
			line("%d. Twins: who is confused with whom\n%d. Thanks", len(birds)+3, len(birds)+4)
			line("\n## A Page\n\n- the name, large enough for the dark\n- the song in words, then as a picture of ten seconds\n- its twin, and how to tell them apart\n- a line for your own first date")
			line("\n## To Be Decided\n\nIs the order of singing right, or should the pages go by the alphabet?")
		}
	case "GUIDE.md":
		line("# A Field Guide to One Garden\n")
		for _, x := range birds {
			line("## %s\n\n*%s*, heard on %d of 365 mornings.\n", x.name, x.latin, x.mornings)
			line("**Song.** %s.\n", sentence(x.song))
			line("**When.** The first song comes %s sunrise, give or take five minutes; rain makes it later.\n", x.first)
			if !half {
				line("**Twin.** %s: %s.\n", x.twin, x.tell)
			}
			line("First heard by me: ____________\n")
		}
	case "FACTS.md":
		line("# Facts\n\nEvery claim of the guide with where it comes from.\n\n| Claim | Source |\n|-------|--------|")
		for _, x := range birds {
			line("| %s sings on %d mornings | diary, counted |", x.name, x.mornings)
			line("| %s begins %s sunrise | diary, median of the year |", x.name, x.first)
			line("| %s: %s | three clips, heard again |", x.name, x.song)
			line("| Not a %s: %s | pairs of clips, heard side by side |", strings.ToLower(x.twin), x.tell)
		}
		line("\n**%d claims, none without a source.**", 4*len(birds))
	case "PROOF.md":
		line("# Proof\n\nSet in 14 pages of 148 by 105 millimetres, read twice.\n\n| Page | Words | Fits |\n|-----:|------:|------|")
		for i, x := range some {
			line("| %d | %d | yes |", i+3, 3*len(strings.Fields(x.song+x.tell))+31)
		}
		if !half {
			line("\n## Mended\n\n- page 5: “phrase” was “phase”\n- page 9: *collybita* has two l's\n- page 12: the picture was that of the greenfinch")
			line("\n## Before It Is Printed\n\nForty copies can't be called back. Please read pages 3 to 14 once more, aloud.")
		}
	case "ORDER.md":
		line("# Order\n\nForty copies, sewn, on paper that survives dew.\n\n- 14 pages, 148 by 105 millimetres\n- ordered %s, expected in nine days\n- proof approved by a human", b.day())
	}
	return d.String()
}

// sentence begins a text with a capital letter.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
