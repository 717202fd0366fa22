import type { DropdownProps, PopoverProps, TooltipProps } from 'antd'
import { type ComponentType, lazy, Suspense } from 'react'

const pieces = () => import('./floating-antd.tsx')

/** What floats (menus, hints) weighs a tenth of the frame and nobody needs it before the frame stands: until it is here, what it hangs on stands alone. */
function floating<P extends { children?: React.ReactNode }>(load: () => Promise<ComponentType<P>>) {
  const Inner = lazy(() => load().then((component) => ({ default: component as ComponentType<P> }))) as unknown as ComponentType<P>
  return (props: P) => (
    <Suspense fallback={props.children}>
      <Inner {...props} />
    </Suspense>
  )
}

export const FloatingMenu = floating<DropdownProps>(() => pieces().then((p) => p.Dropdown))
export const FloatingPanel = floating<PopoverProps>(() => pieces().then((p) => p.Popover as ComponentType<PopoverProps>))
export const FloatingHint = floating<TooltipProps>(() => pieces().then((p) => p.Tooltip as ComponentType<TooltipProps>))
