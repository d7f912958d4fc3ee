//go:build !unix

package notice

import (
	"context"
	"os/exec"
)

// shell returns a command line as the system's interpreter runs it.
func shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd.exe", "/c", line)
}
