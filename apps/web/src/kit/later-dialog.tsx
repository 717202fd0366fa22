import { type ComponentType, lazy, Suspense } from 'react'

/** A dialog or drawer of a list. Its form is larger than the list, so it is loaded when first opened. */
export function laterDialog<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => React.ReactElement {
  const Dialog = lazy(() => load().then((component) => ({ default: component })))
  return (props) => (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
