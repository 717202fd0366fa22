import type { DropdownProps, PopoverProps, TooltipProps } from 'antd'
import { type ComponentType, lazy, Suspense } from 'react'

const pieces = () => import('./floating-antd.tsx')

/**
 * Floating components (menus, tooltips) are a tenth of the shell's code and are not needed for its first render. Until they are loaded,
 * only their trigger element is rendered.
 */
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
