package tui

import (
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// testOptions are those of a wide terminal with every colour.
func testOptions(theme draw.Theme) Options {
	return Options{
		Clock:     func() time.Time { return tuitest.Noon },
		Theme:     theme,
		Profile:   colorprofile.TrueColor,
		TitlePath: "~/src/shop",
		Empty: Empty{
			LooksFor: []string{".planning/STATE.md", ".planning/ROADMAP.md", ".planning/phases/"},
			Where:    "Searched here and in up to ten directories above.",
			Try:      []Try{{"claude", "its session appears at once"}, {"gatehouse demo", "a simulated build that moves"}},
		},
	}
}

func plainOptions() Options {
	o := testOptions(draw.ThemeMono)
	o.Profile = colorprofile.Unknown
	return o
}
