import { RectifyTable } from './rectify-table.tsx'

const path = '/safetySupervisionRectification/list'

/** What has the authority demanded of us, by when, and whose turn is it? */
export default function RegulatorListPage() {
  return (
    <RectifyTable
      path={path}
      origin="gov"
      figures={[
        { label: '待签收', count: 'unsigned', query: 'state=1', tone: 'warning' },
        { label: '待回复', count: 'toReply', query: 'state=2,3,6' },
        { label: '待监理复核', count: 'toReview', query: 'state=4' },
        { label: '逾期', count: 'overdue', query: 'overdue=true', tone: 'danger' },
      ]}
      tabs={[
        { value: '', label: '全部' },
        { value: 'mine', label: '待我办理' },
        { value: 'running', label: '进行中' },
        { value: 'closed', label: '已闭合' },
      ]}
      columns={[
        'code',
        'projectName',
        'noticeType',
        'issuerGroupName',
        'category',
        'summary',
        'placeNames',
        'problemCount',
        'level',
        'receiveTime',
        'deadline',
        'responsiblePerson',
        'returns',
        'state',
      ]}
      emptyHint="监管机构下发的整改通知会列在这里，签收后开始计时"
    />
  )
}
