/** Component of addresses that redirect at once. */
export default function EmptyPage() {
  return null
}
