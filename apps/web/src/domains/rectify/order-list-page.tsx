import { PlusOutlined } from '@ant-design/icons'
import { createRectify } from '@zhugong/contract/rectify/calls'
import { Button } from 'antd'
import { Can } from '#kit/can.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo } from '#kit/page.tsx'
import { RectifySettingButton } from './rectify-setting.tsx'
import { RectifyTable } from './rectify-table.tsx'

const path = '/safetyP/abarbeitung/list'

/** What must be corrected on this site by when, and what is late? Orders of the site, its companies and 监理. */
export default function OrderListPage() {
  const go = useGo()
  const projectCode = useProjectCode()
  return (
    <RectifyTable
      path={path}
      origin="site"
      actions={
        <>
          {projectCode !== '*' && <RectifySettingButton projectCode={projectCode} />}
          <Can call={createRectify}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/safetyP/abarbeitung/create')}>
              新建整改
            </Button>
          </Can>
        </>
      }
      figures={[
        { label: '未闭合', count: 'running', query: 'tab=running' },
        { label: '今日到期', count: 'dueToday', query: 'dueToday=true', tone: 'warning' },
        { label: '逾期', count: 'overdue', query: 'overdue=true', tone: 'danger' },
        { label: '待我办理', count: 'mine', query: 'tab=mine', tone: 'warning' },
      ]}
      tabs={[
        { value: '', label: '全部' },
        { value: 'mine', label: '待我处理' },
        { value: 'issued', label: '我下发的' },
        { value: 'closed', label: '已办结' },
      ]}
      columns={[
        'code',
        'projectName',
        'sourceType',
        'category',
        'level',
        'summary',
        'placeNames',
        'problemCount',
        'corpName',
        'responsiblePerson',
        'issuerName',
        'deadline',
        'returns',
        'state',
      ]}
      emptyHint="还没有整改：发现隐患后从“新建整改”开始"
    />
  )
}
