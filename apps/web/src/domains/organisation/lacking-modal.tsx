import type { ProjectRow } from '@zhugong/contract/organisation/model'
import { Button } from 'antd'
import { Can } from '#kit/can.tsx'
import { useGroupType } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import type { Lacking } from './use-project-moves.ts'
import './organisation.css'

/** Missing items that are fields of the project; all others are units to be added. */
const inFile: ReadonlySet<string> = new Set(['施工许可证', '监督登记号'])

interface LackingModalProps {
  lacking: Lacking | undefined
  onClose: () => void
  onComplete: (row: ProjectRow) => void
}

/** What is missing before the works can start, with links to fix it. */
export function LackingModal({ lacking, onClose, onComplete }: LackingModalProps) {
  // A site cannot change registered facts; requiring the code to create projects hides the button from sites.
  const isSite = useGroupType() === 3
  return (
    <PageModal
      open={lacking !== undefined}
      width={440}
      title="还不能确认开工"
      footer={
        <>
          <Button onClick={onClose}>知道了</Button>
          {lacking?.missing.some((m) => inFile.has(m)) && (
            <Can
              code={isSite ? 'project.create' : 'project.edit'}
              fallback={<span className="zg-2"> 登记信息由企业或监管机构补齐，项目部在“信息设置”中申请</span>}
            >
              <Button type="primary" onClick={() => onComplete(lacking.row)}>
                去补齐
              </Button>
            </Can>
          )}
        </>
      }
      onCancel={onClose}
    >
      {lacking && (
        <>
          <div className="zg-below">{lacking.row.name} 还缺：</div>
          <ul className="org-missing">
            {lacking.missing.map((m) => (
              <li key={m}>
                {m}
                {inFile.has(m) ? null : <span className="zg-2">由项目部登记为参建单位</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </PageModal>
  )
}
