import type { DocumentRow, documentList } from '@zhugong/contract/documents/calls'
import { useDicts } from '#kit/dicts.ts'
import { Tag } from '#kit/feedback.tsx'
import { fileSize } from '#kit/format.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { DocumentName, SecurityTag } from './document-words.tsx'

export function useColumns(enter: (row: DocumentRow) => void): ColumnOf<typeof documentList>[] {
  const dicts = useDicts('docSecurityLevel', 'documentCategory')
  return [
    {
      key: 'name',
      width: 280,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <button type="button" className="zg-bare zg-link" onClick={() => enter(r)}>
          <DocumentName row={r} />
        </button>
      ),
    },
    { key: 'path', width: 220, value: (r) => [r.projectName ?? '我的文档', ...r.path.split('/').filter(Boolean)].join(' / ') },
    { key: 'versionNo', width: 76, align: 'right', value: (r) => (r.isDir ? '--' : `第 ${r.versionNo} 版`) },
    {
      key: 'security',
      width: 130,
      keeps: true,
      filter: 'multi',
      options: dicts.options('docSecurityLevel'),
      value: (r) => <SecurityTag row={r} />,
    },
    { key: 'category', width: 120, weak: true, filter: 'multi', options: dicts.options('documentCategory'), value: (r) => r.categoryName },
    { key: 'size', width: 90, align: 'right', sort: true, value: (r) => (r.isDir ? '--' : fileSize(r.size)) },
    { key: 'owner', width: 90, filter: 'text', value: (r) => r.ownerName },
    { key: 'updateTime', width: 150, sort: true, filter: 'date-range', value: (r) => r.updateTime.slice(0, 16) },
    { key: 'shareTo', width: 150, value: (r) => r.shareTo.join('、') || '--' },
    {
      key: 'dataState',
      width: 90,
      weak: true,
      value: (r) => <Tag tone={r.kept === null ? 'fine' : 'neutral'}>{r.dataStateName}</Tag>,
    },
  ]
}
