import { CloudUploadOutlined } from '@ant-design/icons'
import { useEffect } from 'react'
import { laterDialog } from '../later-dialog.tsx'
import { useOnline } from './online.ts'
import { startOutbox, useOutbox } from './outbox.ts'

const OutboxDrawer = laterDialog(() => import('./outbox-drawer.tsx').then((file) => file.OutboxDrawer))

/** In the header: what waits on this device for the network. Shown while something waits, or without network. */
export function OutboxButton() {
  useEffect(startOutbox, [])
  const { waiting, photos, open } = useOutbox()
  const online = useOnline()
  const refused = waiting.some((one) => one.refused)
  if (waiting.length === 0 && online && !open) return null
  return (
    <>
      <button
        type="button"
        className={`zg-bare app-outbox ${refused ? 'tone-danger' : ''}`}
        onClick={() => useOutbox.setState({ open: true })}
      >
        <CloudUploadOutlined /> {waiting.length === 0 ? '无网络' : `待传 ${waiting.length} 项`}
        {photos > 0 && <span className="photos">，{photos} 张照片</span>}
      </button>
      {open && <OutboxDrawer />}
    </>
  )
}
