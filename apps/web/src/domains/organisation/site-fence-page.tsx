import { ProjectFence } from './project-fence.tsx'

/** Is our fence right, so that mobile punches count and are honest? What grows far is proposed. */
export default function SiteFencePage() {
  return <ProjectFence days={7} remark="缩小立即生效；面积增加超过 20% 或移动超过 200 米由企业或监管机构审定" />
}
