import { type SessionRow, type SessionState, sessionStates } from '@zhugong/contract/personnel/train-model'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<SessionState, Tone>> = { planned: 'running', due: 'warning', closed: 'fine', cancelled: 'neutral' }
export const SessionTag = ({ row }: { row: Pick<SessionRow, 'state'> }) => <Tag tone={tones[row.state]}>{sessionStates[row.state]}</Tag>
export const sessionPaths = { list: '/safetyP/train/list', form: '/safetyP/train/create', detail: '/safetyP/train/details' } as const
export const anyProject = { projectCode: '*' }

/** What a session is about, to begin with. */
export const usualContent: Readonly<Record<string, string>> = {
  '003002':
    '劳动纪律与现场管理规定；安全帽、安全带、防滑鞋的正确使用；高处作业、临边洞口防护；临时用电；消防与逃生路线；事故案例与报告程序。',
  '003101': '安全生产法律法规；公司安全生产规章制度；典型事故案例；职业病防治；从业人员的权利与义务。',
  '003102': '本项目概况与危险源；现场安全管理规定；机械设备与临时用电；应急预案与演练；文明施工要求。',
  '003103': '本工种安全操作规程；机具与劳动防护用品的检查和使用；班前活动；岗位间衔接配合；互相监护与险情报告。',
  '003104': '节后人员状态与健康确认；设备、脚手架、临时用电复工检查；节日期间现场变化；岗位操作规程复习。',
  '003105': '专项施工方案要点；主要危险源与防范措施；监测与停工条件；应急处置与撤离路线。',
  '003107': '演练科目与目的；报警与分工；现场处置步骤；疏散与清点；总结与改进。',
  '003108': '火灾危险源；动火审批；灭火器与消火栓使用；初期火灾扑救；疏散与报警。',
}
