import {
  FileExcelOutlined,
  FileImageOutlined,
  FileOutlined,
  FilePdfOutlined,
  FilePptOutlined,
  FileWordOutlined,
  FileZipOutlined,
  FolderOutlined,
  VideoCameraOutlined,
} from '@ant-design/icons'
import type { DocumentRow } from '@zhugong/contract/documents/calls'
import { securityLevels } from '@zhugong/contract/documents/moves'
import { splitName } from '@zhugong/contract/documents/names'
import type { ComponentType } from 'react'
import { Tag } from '#kit/feedback.tsx'

export const paths = { list: '/userProfile', bin: '/recycleBin', goods: '/useMonitor4', travel: '/useMonitor5' } as const

const icons: Readonly<Record<string, ComponentType>> = {
  '.pdf': FilePdfOutlined,
  '.doc': FileWordOutlined,
  '.docx': FileWordOutlined,
  '.xls': FileExcelOutlined,
  '.xlsx': FileExcelOutlined,
  '.ppt': FilePptOutlined,
  '.pptx': FilePptOutlined,
  '.jpg': FileImageOutlined,
  '.jpeg': FileImageOutlined,
  '.png': FileImageOutlined,
  '.webp': FileImageOutlined,
  '.zip': FileZipOutlined,
  '.mp4': VideoCameraOutlined,
}

export function DocumentName({ row }: { row: Pick<DocumentRow, 'name' | 'isDir'> }) {
  const Icon = row.isDir ? FolderOutlined : (icons[splitName(row.name)[1].toLowerCase()] ?? FileOutlined)
  return (
    <>
      <Icon /> {row.name}
    </>
  )
}

export function SecurityTag({ row }: { row: Pick<DocumentRow, 'security' | 'securityName' | 'isDir' | 'closed'> }) {
  if (row.isDir) return row.closed ? <Tag tone="warning">受控</Tag> : <span className="zg-2">--</span>
  if (row.security === securityLevels.restricted) return <Tag tone="danger">{row.securityName}</Tag>
  return <Tag tone={row.closed ? 'warning' : 'neutral'}>{row.closed ? `${row.securityName} · 受控` : row.securityName}</Tag>
}

/** What the server stores: documents, pictures, drawings, archives and videos. */
export const acceptedFiles = '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.jpg,.jpeg,.png,.webp,.zip,.dwg,.mp4,.wps,.et,.dps,.ofd,.txt'
