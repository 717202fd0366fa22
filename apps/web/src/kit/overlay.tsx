import { Drawer, type DrawerProps, Modal, type ModalProps } from 'antd'
import { usePage } from './page.tsx'

/**
 * Modal and drawer for pages. A kept page that is hidden with an open modal would crash on return. So these render nothing while the page
 * is hidden; the page's own state keeps them open until it returns.
 */
export function PageModal(props: ModalProps) {
  return usePage().active ? <Modal destroyOnHidden centered {...props} /> : null
}

export function PageDrawer(props: DrawerProps) {
  // Never wider than the screen: the buttons at the right edge (close, actions) must be reachable.
  return usePage().active ? <Drawer destroyOnHidden size={720} rootClassName="zg-drawer" {...props} /> : null
}
