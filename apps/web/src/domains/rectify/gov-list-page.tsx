import { PlusOutlined } from '@ant-design/icons'
import { createRectify } from '@zhugong/contract/rectify/calls'
import { Button } from 'antd'
import { Can } from '#kit/can.tsx'
import { useGo } from '#kit/page.tsx'
import { RectifyTable } from './rectify-table.tsx'

const path = '/jgt/project/tgzg_index'

/** What did we issue, what is late, and what do I do about it today? One row is one notice. */
export default function GovListPage() {
  const go = useGo()
  return (
    <RectifyTable
      path={path}
      origin="gov"
      actions={
        <Can call={createRectify}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/safetySupervisionRectification/edit')}>
            下发整改
          </Button>
        </Can>
      }
      figures={[
        { label: '未闭合', count: 'running', query: 'tab=running' },
        { label: '逾期', count: 'overdue', query: 'overdue=true', tone: 'danger' },
        { label: '逾期 7 天以上', count: 'late', query: 'late=true', tone: 'danger' },
        { label: '待我办理', count: 'mine', query: 'tab=mine', tone: 'warning' },
      ]}
      tabs={[
        { value: '', label: '全部' },
        { value: 'mine', label: '待我办理' },
        { value: 'running', label: '未闭合' },
        { value: 'closed', label: '已办结' },
      ]}
      columns={[
        'code',
        'projectName',
        'noticeType',
        'category',
        'level',
        'sourceType',
        'summary',
        'placeNames',
        'problemCount',
        'corpName',
        'issuerName',
        'checkDate',
        'deadline',
        'returns',
        'extendCount',
        'state',
      ]}
      emptyHint="还没有下发过整改通知：检查发现问题后从“下发整改”开始"
    />
  )
}
