/** Stands for addresses that lead elsewhere at once. */
export default function EmptyPage() {
  return null
}
