export default function SelfEntryPage() {
  return null
}
