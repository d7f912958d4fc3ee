package nearest
import ("testing";"os")
func BenchmarkFind(b *testing.B){
	for _,d:=range []string{"bmad_Alberto-Codes__docvet","kiro_49LabsAI_SovSeal","taskmaster_2vlad__edu-parser","speckit_AKharytonchyk_throughline","speckit_LahkLeKey_Banana","openspec_Fission-AI__OpenSpec","openspec_23492__norish"}{
	b.Run(d,func(b *testing.B){ b.ReportAllocs(); buf:=make([]byte,256<<10)
	for range b.N { _,ok:=Find(Place{Dir:"/tmp/fmtbench/"+d,Home:"/tmp/fmtbench",Alerts:true,Buffer:buf}); if !ok {b.Fatal()} }})}
	_ = os.Args
}
