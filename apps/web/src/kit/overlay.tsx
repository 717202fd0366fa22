import { Drawer, type DrawerProps, Modal, type ModalProps } from 'antd'
import { usePage } from './page.tsx'

/**
 * Modal and drawer for pages. A kept page that goes to the back with an open modal would crash on its return, so these
 * render nothing while the page is not in front; the page's own state keeps them open for when it comes back.
 */
export function PageModal(props: ModalProps) {
  return usePage().active ? <Modal destroyOnHidden centered {...props} /> : null
}

export function PageDrawer(props: DrawerProps) {
  // Never wider than the glass: what stands at its right edge (closing it, its actions) must be reached.
  return usePage().active ? <Drawer destroyOnHidden size={720} rootClassName="zg-drawer" {...props} /> : null
}
