import { ProjectFence } from './project-fence.tsx'

/** Review of one project's fence: proposal, punches and history. */
export default function ProjectFencePage() {
  return <ProjectFence days={30} remark="审定项目部的申请，或直接绘制；过去的打卡按当时的围栏判定" />
}
