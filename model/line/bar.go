package line

const (
	barCells = 10
	barFull  = "█" // U+2588
	barEmpty = "░" // U+2591
)

// appendBar appends a progress bar of ten cells and the number, "[█████░░░░░] 59%", to dst. A cell is filled once its ten
// percent are done in full, never earlier: 59 fills five, 99 nine. percent is taken as 0 below 0 and as 100 above 100.
func appendBar(dst []byte, percent int) []byte {
	percent = max(0, min(100, percent))
	dst = append(dst, '[')
	for cell := 1; cell <= barCells; cell++ {
		if percent >= cell*100/barCells {
			dst = append(dst, barFull...)
		} else {
			dst = append(dst, barEmpty...)
		}
	}
	dst = append(dst, "] "...)
	if percent == 100 {
		dst = append(dst, '1', '0')
		percent = 0
	}
	if percent >= 10 {
		dst = append(dst, byte('0'+percent/10))
	}
	return append(dst, byte('0'+percent%10), '%')
}
