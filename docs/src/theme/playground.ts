import { type Component, defineComponent, h, onMounted, ref } from 'vue';

/** The playground, which exists in browsers alone. */
export const Playground: Component = defineComponent({
  setup() {
    const root = ref<HTMLElement>();
    onMounted(async () => {
      const { mountPlayground } = await import('../playground/page.ts');
      if (root.value !== undefined) await mountPlayground(root.value);
    });
    return () => h('div', { class: 'tf-playground', ref: root }, [h('p', {}, 'The playground needs JavaScript and a browser with WebAssembly.')]);
  },
});
