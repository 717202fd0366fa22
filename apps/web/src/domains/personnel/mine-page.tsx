export default function MinePage() {
  return null
}
