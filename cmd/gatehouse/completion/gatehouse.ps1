# PowerShell completion for gatehouse and statusline
#
# Nothing that stands on the command line is ever evaluated: it may be the name of a gate or of a directory, which others
# have chosen. Words are taken from the parsed line, and where one has more than plain characters nothing is completed.

Register-ArgumentCompleter -Native -CommandName 'gatehouse', 'statusline' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $program = $CommandAst.GetCommandName()
    if (-not $program) { return }
    $words = @()
    if ($program -match '(\A|[\\/])statusline(\.exe)?\z') { $program = 'gatehouse'; $words = @('statusline') }
    $word = ''
    foreach ($element in @($CommandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.StartOffset -ge $CursorPosition) { break }
        $text = $element.Extent.Text
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $text = $element.Value }
        if ($text -cnotmatch '\A[\p{L}\p{N} ~._/\\:+@=()-]*\z') { return }
        if ($element.Extent.EndOffset -ge $CursorPosition) { $word = $text } else { $words += $text }
    }
    $last = $word
    if ($last -eq '') { # before PowerShell 7.3 an empty argument is dropped, and this is how one is written
        $passing = Get-Variable -Name PSNativeCommandArgumentPassing -ValueOnly -ErrorAction Ignore
        if ("$passing" -eq '' -or "$passing" -eq 'Legacy') { $last = '""' }
    }
    $lines = @(& $program __complete @words $last 2>$null)
    if ($lines.Count -eq 0 -or $lines[-1] -cnotmatch '\A:[0-9]+\z') { return }
    $directive = [int]$lines[-1].Substring(1)

    # The value of --flag=value begins behind the flag, which what is offered has to repeat.
    $flag = ''
    if ($word -cmatch '\A-[^=]*=') { $flag = $Matches[0] }
    $value = $word.Substring($flag.Length)

    # 4: nothing but these; 8: the names are endings of files. Without an answer PowerShell completes files.
    if (($directive -band 8) -ne 0) { return }
    $found = @($lines | Select-Object -SkipLast 1 | Where-Object { $_.StartsWith($value, [System.StringComparison]::Ordinal) })
    if ($found.Count -eq 0 -and ($directive -band 4) -ne 0) { return '' }
    foreach ($line in $found) {
        $name, $what = $line.Split("`t", 2)
        if (-not $what) { $what = $name }
        if ($ExecutionContext.SessionState.LanguageMode -eq 'FullLanguage') {
            [System.Management.Automation.CompletionResult]::new("$flag$name", $name, 'ParameterValue', $what)
        } else {
            "$flag$name"
        }
    }
}
